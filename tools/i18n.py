"""Bring every catalog up to date with the code, and compile it.

    python tools/i18n.py            write what changed
    python tools/i18n.py --check    change nothing; fail if something would change

A language is a folder `gamebot/locale/LANGUAGE`; its catalogs are made where they are missing.
Translations are kept, texts that are gone are dropped, new and changed ones are untranslated.
No dates, no line numbers: the same code gives the same files.
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import generate_po, read_po
from babel.plural import to_gettext
from catalogs import compile_catalogs
from extraction import ROOT, Distribution, Found, Key, distributions, extract, loaded

HEADER = """msgid ""
msgstr ""
"Project-Id-Version: {project}\\n"
"Language: {language}\\n"
"MIME-Version: 1.0\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"
"Plural-Forms: {plural}\\n"

"""
PLURAL_FORMS = re.compile(r'^"Plural-Forms: (.*)\\n"$', re.MULTILINE)
ONE_LINE = 10_000
"""Width of a text in a file: translators search for whole sentences."""


def languages(core: Distribution) -> list[str]:
    """List the languages that have a folder in the core."""
    return sorted(folder.name for folder in core.locale.iterdir() if folder.is_dir())


def plural_forms(path: Path, language: str) -> str:
    """Return the plural forms that a catalog has, or for a new one those of CLDR."""
    if path.exists():
        found = PLURAL_FORMS.search(path.read_text(encoding="utf-8"))
        if found:
            return found[1]
    forms = to_gettext(Locale.parse(language).plural_form)
    return re.sub(r"\be\b", "0", forms)  # the exponent of "1c6"; our numbers are written out


def known(path: Path, language: str) -> dict[Key, Message]:
    """Read the translations of a catalog that is there."""
    if not path.exists():
        return {}
    with path.open("rb") as file:
        catalog = read_po(file, locale=language, abort_invalid=True)
    return {key_of(message): message for message in catalog if message.id}


def key_of(message: Message) -> Key:
    """Return context, text and plural of *message*."""
    one, many = message.id if isinstance(message.id, tuple) else (message.id, "")
    return message.context or "", one, many


def render(distribution: Distribution, language: str, found: Found) -> str:
    """Write the catalog of *distribution* in *language*."""
    plural = plural_forms(distribution.catalog(language), language)
    catalog = Catalog(locale=language, fuzzy=False)
    count = int(plural.partition("nplurals=")[2].partition(";")[0])
    old = known(distribution.catalog(language), language)
    for key, (places, notes) in found.keys.items():
        context, one, many = key
        before = old.get(key)
        text: str | tuple[str, ...] = before.string if before else ""
        if many and (not isinstance(text, tuple) or len(text) != count):
            text = ("",) * count
        message = catalog.add(
            (one, many) if many else one,
            text,
            locations=[(place.removeprefix(f"{distribution.domain}/"), None) for place in places],
            flags=("fuzzy",) if before and before.fuzzy else (),
            auto_comments=notes,
            user_comments=before.user_comments if before else (),
            context=context or None,
        )
        message.flags.discard("python-format")  # a sign of percent is one here
    header = HEADER.format(
        project=distribution.domain.replace("_", "-"), language=language, plural=plural
    )
    return header + "".join(generate_po(catalog, width=ONE_LINE, omit_header=True))


def changed(root: Path = ROOT) -> Iterator[tuple[Path, str]]:
    """Return every catalog that is not as the code asks for, and its new text.

    Raises:
        SystemExit: A text is said that the extraction cannot find.
    """
    registries = loaded()
    core, *others = distributions(root)
    for distribution in (core, *others):
        found = extract(distribution, registries)
        if found.unexplained:
            raise SystemExit("unknown texts:\n" + "\n".join(found.unexplained))
        for language in languages(core):
            path, text = distribution.catalog(language), render(distribution, language, found)
            if not path.exists() or path.read_text(encoding="utf-8") != text:
                yield path, text


def untranslated(root: Path = ROOT) -> dict[Path, int]:
    """Count the texts of each catalog that have no translation."""
    core, *others = distributions(root)
    counts = {}
    for language in languages(core):
        for distribution in (core, *others):
            path = distribution.catalog(language)
            messages = known(path, language).values()
            counts[path] = sum(1 for m in messages if not all(strings(m)))
    return counts


def strings(message: Message) -> tuple[str, ...]:
    """Return the forms of a translation."""
    return message.string if isinstance(message.string, tuple) else (message.string,)


def main(arguments: list[str], out: io.TextIOBase | None = None) -> int:
    """Update and compile, or check."""
    say = (out or sys.stdout).write
    check = "--check" in arguments
    stale = list(changed())
    for path, text in stale:
        say(f"{'out of date' if check else 'updated'}: {path.relative_to(ROOT)}\n")
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    if check:
        return 1 if stale else 0
    for path, count in untranslated().items():
        if count:
            say(f"{count} without translation: {path.relative_to(ROOT)}\n")
    say(f"{compile_catalogs(ROOT)} catalogs are compiled\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
