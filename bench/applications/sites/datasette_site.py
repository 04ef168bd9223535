"""datasette with two small databases and a login: `datasette_site.py PORT PASSWORD`. The data is in this directory."""

import json
import os
import sqlite3
import sys
from pathlib import Path

from datasette_auth_passwords.utils import hash_password  # type: ignore[import-not-found]

COUNTRIES = (("Austria", "Europe", 9), ("Brazil", "America", 213), ("Chad", "Africa", 17), ("Denmark", "Europe", 6))


def main(port: str, password: str) -> None:
    with sqlite3.connect("world.db") as world:
        world.execute("create table country (id integer primary key, name text, continent text, millions integer)")
        world.execute("create table city (id integer primary key, name text, country integer references country(id))")
        world.executemany("insert into country (name, continent, millions) values (?, ?, ?)", COUNTRIES)
        world.executemany(
            "insert into city (name, country) values (?, ?)",
            [(f"City {number}", number % 4 + 1) for number in range(250)],
        )
        world.execute("create view large as select name, millions from country where millions > 10")
    with sqlite3.connect("shop.db") as shop:
        shop.execute("create table item (code text primary key, price real, tags text)")
        shop.executemany("insert into item values (?, ?, ?)", [("lamp", 20.5, '["home"]'), ("desk", 180, '["office"]')])
    accounts = {"actor": {"id": "admin"}, "http_basic_auth": False, "admin_password_hash": hash_password(password)}
    Path("metadata.json").write_text(json.dumps({"plugins": {"datasette-auth-passwords": accounts}}))
    program = str(Path(sys.executable).with_name("datasette"))
    own = ["world.db", "shop.db", "--metadata", "metadata.json", "--host", "127.0.0.1", "--port", port]
    os.execv(program, [program, "serve", *own])  # noqa: S606


if __name__ == "__main__":
    main(*sys.argv[1:])
