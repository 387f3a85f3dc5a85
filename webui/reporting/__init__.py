"""The battle report: a journal and its pictures as a page, a PDF, and a film."""
