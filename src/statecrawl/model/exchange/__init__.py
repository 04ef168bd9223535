"""Exchange formats of models: JSON, GraphML, DOT and Mermaid. Text in, text out."""
