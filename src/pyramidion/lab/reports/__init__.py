"""What reports of the lab are made of: pages, charts, board pictures and sentences."""
