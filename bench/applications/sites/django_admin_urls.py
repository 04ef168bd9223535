"""URLs of the site with Django's admin."""

from django.contrib import admin  # type: ignore[import-not-found]
from django.urls import path  # type: ignore[import-not-found]

urlpatterns = [path("admin/", admin.site.urls)]
