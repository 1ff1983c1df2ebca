"""Requests that concern a table: who its requester is there, its forms, and what a refused program is told."""
