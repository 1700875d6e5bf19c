"""Tests against real IRC servers, each started by the test that needs it."""
