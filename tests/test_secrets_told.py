"""What is a secret, in the ways in which people tell one, and what is only said about secrets."""

import pytest

from chyan_agent.memory.confidential import secret

from .clock import within

TOLD = [
    "邮箱密碼是 Kite88wing",
    "開機口令：lantern42",
    "資料庫金鑰為 q9W8e7R6t5",
    "密碼換成 Moss77",
    "登入密碼就是 harbor19",
    "把密码从 maple11 换成 cedar22",
    "路由器密码由 aaa111 变更为 bbb222",
    "后台密码已经重置为 Reef3390",
    "密码现在是 Reef3390",
    "我把密码设成了 tulip77",
    "密码用的是 tulip77",
    "密码填 tulip77",
    "密码叫 tulip77",
    "tulip77 是我的密码",
    "登录时用 tulip77 作为密码",
    "把 tulip77 设为管理员密码",
    "密码是西瓜汽水88",
    "密码是「西瓜汽水」",
    "车库密码2468#",
    "密码20468",
    "私钥内容：MIICdgIBADANBgkqhk",
    "邮箱授权码是 kxqzmwplrtyubnvc",
    "PIN 是 7205",
    "The password has been changed to Kestrel9",
    "password was reset from osprey1 to osprey2",
    "the password should be Kestrel9 now",
    "Kestrel9 is the admin password",
    "log in with Kestrel9 as your password",
    "ROUTER_PASS=kestrel",
    "pass: kestrel9",
    "password (new): kestrel9",
    "the password for the router is kestrel9",
    "password of the admin account: kestrel9",
    "you may use kestrel9 as the router's password",
    "路由器密码（5G）是 tulip77",
    "密码由管理员改成了 tulip77",
    "密码原来是 tulip77，忘了现在的",
    "密码是小写的 tulip77",
    "密码：\ntulip77",
    "tulip77，这是我的密码",
    "Set the router password to kestrel",
    "pw = kestrel9",
    "wechatAppSecret: 77aa88bb99cc00dd77aa88bb99cc00dd",
    "appsecret 是 77aa88bb99cc00dd77aa88bb99cc00dd",
    "AccessKeySecret=aB3dE5fG7hJ9",
    "userToken: aB3dE5fG7hJ9",
    "mysqldump -h db -u root -pKestrel9 shop",
    "sshpass -p 'kest rel' ssh box",
    "curl -s --user lin:Kestrel9 https://box.example",
    "redis-cli -h cache -a Kestrel9",
    "https://hooks.slack.com/services/T12345678/B12345678/abcdefghijkl",
    "https://open.feishu.cn/open-apis/bot/v2/hook/0b1f4c1e-1111-2222-3333-444455556666",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "sk_live_9aB8cD7eF6gH5iJ4kL3m",
    "key-7d8f9a0b1c2d3e4f5a6b7c8d9e0f1a2b",
    "door code is 4411#",
]
ABOUT = [
    "auth is SAML2",
    "登录服务 auth 9090",
    "auth: PKCS12",
    "auth-service-02 在重启",
    "token_cache_v2 表已删",
    "password is argon2id-hashed",
    "The password is case-sensitive",
    "The password will be emailed",
    "The password should be 12 characters long",
    "password must be at least 8",
    "密码用 SHA256 加密",
    "密码SHA256存储",
    "密码改为每90天更换",
    "密码是由8位数字组成的",
    "密码至少 120 位",
    "密码 2024 年改过一次",
    "密码在抽屉第3格",
    "验证码 120 秒内有效",
    "密钥2048位",
    "主轴 spin 1200 转",
    "bcrypt2 是密码库",
    "8081 是密码服务的端口",
    "ISO27001 是密码管理的标准",
    "1Password is our password manager",
    "Ticket OPS-1201 is about the password page",
    "api-payment-gateway-staging-02 重启了",
    "sk-image-processing-toolkit 是个库",
    "pk_order_lines_archive_2025",
    "key_exchange_protocol_v3_draft",
    "api-550e8400-e29b-41d4-a716-446655440000",
    "密码修改 settings.html 已上线",
    "密码 2026-12-01 到期",
    "密码策略要求 12 位",
    "忘记密码的流程改了",
    "the password field is required",
    "密码在保险柜里",
    "The secret is patience",
    "tests pass: 1200",
    "the password for the router is required",
    "The password for the archive is in vault 2",
    "the password of the admin account expired on 2026-01-02",
    "The token for the bus is 35,000",
    "密码（新版）：长度至少 120 位",
    "密码由 8 位改为 120 位",
    "密码由管理员保管",
    "Use a password to protect the file",
    "凭证号 PZ20260035",
    "token usage: 35,000",
    "https://docs.example.com/webhooks/using-webhooks-with-the-api-2024",
    "docker run -p 8080:80 web",
    "mkdir -p /srv/data1",
    "mysql -u root -p shop",
    "curl -u lin:$TOKEN https://box.example",
    "git log -p 3f2a9c8",
    "密碼存在保險櫃裡",
]
HOSTILE = (
    "密码", "token ", "a-", "key_", "密码是", "pwd = ", "curl -u a ", "mysql -p ", "hook/a",
    "from a ", "密码已", "password is ", "sk-a", "x 是", "hunter2 is my ", "password for a ",
    "password of a b ", "密码从a", "密码(a", "密码由管", "set password to ", "密码: \n",
)  # fmt: skip


@pytest.mark.parametrize("text", TOLD)
def test_secrets_however_they_are_told(text: str) -> None:
    """In either script, before or after the word, changed, assigned, in a command or address."""
    assert secret(text)


@pytest.mark.parametrize("text", ABOUT)
def test_remarks_about_secrets(text: str) -> None:
    """How one is kept, counted or made, and names that only begin like a key, may be noted."""
    assert secret(text) is None


@pytest.mark.parametrize("piece", HOSTILE)
def test_secrets_are_sought_in_linear_time(piece: str) -> None:
    """Text that nearly matches everywhere costs no more than its length."""
    with within(1.5):
        secret(piece * (20_000 // len(piece)))


PERSONAL = [
    ("招行卡 6225880137706868", "card"),
    ("信用卡：5424 0000 0000 0015", "card"),
    ("debit card 4000-0566-5566-5556", "card"),
    ("他的身份证号：44030719850612301X", "identity"),
    ("520102197908053914", "identity"),
    ("SSN 078-05-1120", "identity"),
    ("Cookie: sid=8f14e45fceea167a; theme=dark", "token"),
    ("PHPSESSID=k3v9q2m7x1c8b4n6", "token"),
    ("deploy:Kite88wing@files.example.org", "password"),
    ("路由器登录 lin / Kite!88wing", "password"),
    ("存折密码是女儿生日 20140309", "password"),
    ("门锁口令工号加名字：chen0472", "password"),
    ("取款密码 7 1 9 3 5 5", "password"),
    ("Recovery codes: 9fk2-77da, 81xx-02me", "password"),
    ("The OTP is 730218", "password"),
    ("The padlock combination is 31-7-22", "password"),
    ("The passphrase is copper lantern river moth", "password"),
]


@pytest.mark.parametrize(("text", "kind"), PERSONAL)
def test_personal_secrets_are_told_by_what_they_are(text: str, kind: str) -> None:
    """Cards, identity numbers, cookies, logins, hints with their value."""
    assert secret(text) == kind


@pytest.mark.parametrize(
    "text",
    [
        "会员卡号 6225880137706868 可以积分",
        "订单 6225880137706868 已发货",
        "信用卡尾号 6868，每月 9 号还款",
        "身份证 2031 年到期",
        "运单 123456789012345678",
        "Tracking 4000056655665557",
        "cookie: bake 12 minutes at 180",
        "set cookie theme=dark",
        "password hints are my dog's name",
        "密码的后四位不要用生日",
        "密码左右两边各加一个符号",
        "联系：lin:lin2020@example.org",
        "login page is /account/v2",
        "The recovery codes are in the safe",
        "The passphrase is stored with the notary and her clerk",
        "The verification code arrives within 60 seconds",
        "Postcode SW1A 1AA, flat 4",
    ],
)
def test_words_about_them_are_no_secrets(text: str) -> None:
    """A number of another kind, or a remark, is let in."""
    assert secret(text) is None


@pytest.mark.parametrize("text", ["密码左" * 3000, "1234 " * 3000, "a:" * 6000, "cookie a=" * 2000])
def test_hostile_personal_texts_are_judged_in_time(text: str) -> None:
    """Time grows with the text."""
    with within(2):
        secret(text)
