"""Django's admin with its own users and groups: `django_admin.py PORT PASSWORD`. The data is in this directory."""

import sys
from pathlib import Path

import django  # type: ignore[import-not-found]
from django.conf import settings  # type: ignore[import-not-found]
from django.core.management import call_command  # type: ignore[import-not-found]

CONTRIB = ("admin", "auth", "contenttypes", "sessions", "messages", "staticfiles")
PROCESSORS = (
    "django.template.context_processors.request",
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
)
MIDDLEWARE = (
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
)


def main(port: str, password: str) -> None:
    settings.configure(
        DEBUG=True,
        SECRET_KEY="for one run",  # noqa: S106
        ALLOWED_HOSTS=["127.0.0.1"],
        ROOT_URLCONF="django_admin_urls",
        STATIC_URL="/static/",
        INSTALLED_APPS=[f"django.contrib.{name}" for name in CONTRIB],
        MIDDLEWARE=list(MIDDLEWARE),
        TEMPLATES=[
            {
                "BACKEND": "django.template.backends.django.DjangoTemplates",
                "APP_DIRS": True,
                "OPTIONS": {"context_processors": list(PROCESSORS)},
            }
        ],
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": Path.cwd() / "db.sqlite3"}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        USE_TZ=True,
    )
    django.setup()
    call_command("migrate", verbosity=0)
    _add_accounts(password)
    call_command("runserver", f"127.0.0.1:{port}", "--noreload")


def _add_accounts(password: str) -> None:
    from django.contrib.auth.models import Group, User  # type: ignore[import-not-found]  # noqa: PLC0415 — needs the settings

    User.objects.create_superuser("admin", "admin@example.com", password)
    for name in ("ann", "bob", "carol"):
        User.objects.create_user(name, f"{name}@example.com", password)
    for name in ("editors", "readers"):
        Group.objects.create(name=name)


if __name__ == "__main__":
    main(*sys.argv[1:])
