"""Models as text, to carry them to other tools and back: JSON, GraphML, DOT and Mermaid. Text in, text out."""
