"""State on the disk: records, transcript and snapshot, durable and repaired."""
