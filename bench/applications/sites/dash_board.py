"""A Dash application with a graph, a table and tabs: `dash_board.py PORT`."""

import sys

from dash import Dash, Input, Output, State, dash_table, dcc, html  # type: ignore[import-not-found]

DATA = [
    {"country": country, "year": year, "life": 50 + (year - 1960) * pace / 10}
    for country, pace in (("Austria", 5), ("Brazil", 7), ("Chad", 2))
    for year in range(1960, 2021, 10)
]
CHOICES = ["Austria", "Brazil", "Chad"]
app = Dash(__name__)
app.layout = html.Div(
    [
        html.H1("Life expectancy"),
        dcc.Dropdown(CHOICES, CHOICES[0], id="country", multi=True),
        dcc.RadioItems(["linear", "log"], "linear", id="scale"),
        dcc.Checklist(["markers", "grid"], ["markers"], id="style"),
        dcc.RangeSlider(1960, 2020, step=10, value=[1960, 2020], marks=None, id="years"),
        dcc.Tabs(
            [
                dcc.Tab(label="Graph", value="graph"),
                dcc.Tab(label="Table", value="table"),
                dcc.Tab(label="Note", value="note"),
            ],
            value="graph",
            id="tabs",
        ),
        html.Div(id="content"),
        dcc.Input(id="text", placeholder="Comment"),
        html.Button("Add", id="add"),
        html.Ul(id="comments"),
    ]
)


@app.callback(
    Output("content", "children"),
    *(Input(name, "value") for name in ("tabs", "country", "scale", "style", "years")),
)
def show(tab, country, scale, style, years):  # type: ignore[no-untyped-def]
    """Show the tab that is selected."""
    wanted = country if isinstance(country, list) else [country]
    rows = [row for row in DATA if row["country"] in wanted and years[0] <= row["year"] <= years[1]]
    if tab == "table":
        return dash_table.DataTable(
            rows, page_size=5, sort_action="native", filter_action="native", row_selectable="multi"
        )
    if tab == "note":
        return dcc.Markdown("The figures are **invented**.")
    mode = "lines+markers" if "markers" in style else "lines"
    lines = [
        {
            "x": [row["year"] for row in rows if row["country"] == name],
            "y": [row["life"] for row in rows if row["country"] == name],
            "name": name,
            "mode": mode,
        }
        for name in wanted
    ]
    return dcc.Graph(figure={"data": lines, "layout": {"yaxis": {"type": scale, "showgrid": "grid" in style}}})


@app.callback(
    Output("comments", "children"),
    Input("add", "n_clicks"),
    State("text", "value"),
    State("comments", "children"),
    prevent_initial_call=True,
)
def add(_, text, comments):  # type: ignore[no-untyped-def]
    """Add a comment."""
    return [*(comments or []), html.Li(text)] if text else comments


if __name__ == "__main__":
    app.run(host="127.0.0.1", port=sys.argv[1], debug=False)
