"""What the embedded server tells of people, channels and itself."""

from __future__ import annotations

from irc_lines import errors, heard, people

from gamebot.testing import ALL_CAPS


def test_accounts_hosts_and_names_change_for_who_can_see_it(server):
    rich = server.person("rich", caps=ALL_CAPS - {"server-time"})
    rich.joins("#x")
    anna = server.person("anna", caps={"setname", "account-notify"})
    anna.joins("#x")
    rich.lines.clear()
    server.login("anna", "acc")
    server.login("anna", None)
    server.change_host("anna", "ann", "cloak.example")
    anna.does("SETNAME :Anna A.")
    assert heard(rich) == [
        "@account=acc :anna!anna@anna.example ACCOUNT acc",
        ":anna!anna@anna.example ACCOUNT *",
        ":anna!anna@anna.example CHGHOST ann cloak.example",
        ":anna!ann@cloak.example SETNAME :Anna A.",
    ]
    assert len(heard(anna, "ACCOUNT")) == 2
    bert = server.person("bert")
    bert.does("SETNAME :x")
    assert errors(bert) == ["421 SETNAME"]


def test_names_show_what_was_negotiated(server):
    anna, bert = people(server, "anna", "bert")
    anna.does("MODE #x +v anna")
    rich = server.person("rich", caps={"multi-prefix", "userhost-in-names"})
    rich.does("NAMES #x")
    bert.lines.clear()
    bert.does("NAMES #x,#none")
    bert.does("NAMES")
    assert heard(rich, "353") == [
        ":irc.alpha.example 353 rich = #x :@+anna!anna@anna.example bert!bert@bert.example"
    ]
    assert [line.split(" ", 3)[3] for line in heard(bert)] == [
        "= #x :@anna bert",
        "#x :End of /NAMES list.",
        "#none :End of /NAMES list.",
        "* :End of /NAMES list.",
    ]


def test_who(server):
    anna, bert = people(server, "anna", "bert")
    bert.does("AWAY :x")
    bert.does("MODE bert +B")
    bert.lines.clear()
    anna.does("WHO #x")
    anna.does("WHO bert")
    anna.does("WHO *.example")
    anna.does("WHO #none")
    assert heard(anna) == [
        ":irc.alpha.example 352 anna #x anna anna.example irc.alpha.example anna H@ :0 anna",
        ":irc.alpha.example 352 anna #x bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna #x :End of /WHO list.",
        ":irc.alpha.example 352 anna * bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna bert :End of /WHO list.",
        ":irc.alpha.example 352 anna * anna anna.example irc.alpha.example anna H :0 anna",
        ":irc.alpha.example 352 anna * bert bert.example irc.alpha.example bert GB :0 bert",
        ":irc.alpha.example 315 anna *.example :End of /WHO list.",
        ":irc.alpha.example 315 anna #none :End of /WHO list.",
    ]


def test_whox_sends_the_fields_in_its_own_order(server):
    anna, _ = people(server, "anna", "bert")
    server.login("bert", "acc")
    anna.does("WHO #x %ctnuahfr,42")
    assert heard(anna, "354") == [
        ":irc.alpha.example 354 anna 42 #x anna anna.example anna H@ 0 anna",
        ":irc.alpha.example 354 anna 42 #x bert bert.example bert H acc bert",
    ]
    anna.does("WHO bert %idslo")
    assert heard(anna, "354") == [
        ":irc.alpha.example 354 anna 255.255.255.255 irc.alpha.example 0 0 n/a"
    ]
    server.whox = False
    anna.does("WHO bert %na")
    assert [line.split()[1] for line in heard(anna)] == ["352", "315"]


def test_whois(server):
    anna, bert = people(server, "anna", "bert")
    server.login("bert", "acc")
    bert.does("AWAY :lunch")
    bert.does("MODE bert +B")
    anna.does("WHOIS bert bert")
    assert [line.split(" ", 3)[1::2] for line in heard(anna)] == [
        ["311", "bert bert bert.example * bert"],
        ["319", "bert :#x"],
        ["312", "bert irc.alpha.example :a server for tests"],
        ["301", "bert :lunch"],
        ["330", "bert acc :is logged in as"],
        ["335", "bert :is a bot"],
        ["317", "bert 0 1000000 :seconds idle, signon time"],
        ["318", "bert :End of /WHOIS list."],
    ]
    anna.does("WHOIS nobody")
    anna.does("WHOIS")
    anna.does("WHOWAS bert")
    assert [error.split()[0] for error in errors(anna)] == ["401", "431", "406"]


def test_whois_tells_a_certificate(server):
    """To everybody as InspIRCd does, or to its owner alone as ngircd does."""
    anna, bert = server.person("anna"), server.person("bert")
    server.certify("bert", "0a" * 32)
    told = f"276 {{}} bert :has client certificate fingerprint {'0a' * 32}"

    def tells(puppet) -> bool:
        puppet.lines.clear()
        puppet.does("WHOIS bert")
        return any(told.format(puppet.user.nick) in line for line in puppet.lines)

    assert tells(anna)
    assert tells(bert)
    server.whois_certificates = False
    assert not tells(anna)
    assert tells(bert)


def test_small_questions(server):
    anna, bert = people(server, "anna", "bert")
    bert.does("AWAY :x")
    anna.does("ISON bert nobody :ANNA")
    anna.does("USERHOST bert anna nobody")
    anna.does("TIME")
    anna.does("LIST")
    anna.does("LIST #y*")
    assert [line.split(" ", 3)[1::2] for line in heard(anna)] == [
        ["303", ":bert anna"],
        ["302", ":bert=-bert@bert.example anna=+anna@anna.example"],
        ["391", "irc.alpha.example :1970-01-12 13:46:40 UTC"],
        ["321", "Channel :Users  Name"],
        ["322", "#x 2 :"],
        ["323", ":End of /LIST"],
        ["321", "Channel :Users  Name"],
        ["323", ":End of /LIST"],
    ]
    anna.does("VERSION")
    anna.does("LUSERS")
    anna.does("MOTD")
    numerics = [line.split()[1] for line in heard(anna)]
    assert numerics == ["351", "005", "005", "251", "254", "255", "265", "266", "375", "372", "376"]
    server.motd = ()
    anna.does("MOTD")
    assert errors(anna)[0].startswith("422")


def test_isupport_can_be_added_to_replaced_and_left_out(server):
    server.isupport = {"NICKLEN": "9", "WHOX": None, "EXCEPTS": "e", "SAFELIST": ""}
    tokens = [token for line in server.isupport_lines() for token in line]
    assert "NICKLEN=9" in tokens
    assert "EXCEPTS=e" in tokens
    assert "SAFELIST" in tokens
    assert not [token for token in tokens if token.startswith("WHOX")]
    assert all(len(line) <= 12 for line in server.isupport_lines())
