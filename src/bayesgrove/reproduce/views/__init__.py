"""What a paper prints, as views of our runs: tables, figures and conclusions."""
