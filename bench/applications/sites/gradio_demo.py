"""A Gradio application with a login: `gradio_demo.py PORT PASSWORD`."""

import sys

import gradio  # type: ignore[import-not-found]


def main(port: str, password: str) -> None:
    with gradio.Blocks(title="Tools", analytics_enabled=False) as blocks:
        with gradio.Tab("Text"):
            text, way = (
                gradio.Textbox(label="Text"),
                gradio.Radio(["upper", "lower", "title"], value="upper", label="Case"),
            )
            result = gradio.Textbox(label="Result")
            gradio.Button("Convert").click(lambda given, how: getattr(given, how)(), [text, way], result)
            gradio.Examples([["Hello", "upper"], ["World", "lower"]], [text, way])
        with gradio.Tab("Numbers"):
            first, second = gradio.Slider(0, 100, 20, label="First"), gradio.Number(3, label="Second")
            sign, total = gradio.Dropdown(["+", "-", "*"], value="+", label="Sign"), gradio.Number(label="Total")
            signs = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}
            gradio.Button("Calculate").click(lambda a, b, how: signs[how](a, b), [first, second, sign], total)
        with gradio.Tab("Data"):
            gradio.Dataframe([["ann", 3], ["bob", 5]], headers=["name", "points"], interactive=True)
            with gradio.Accordion("More", open=False):
                gradio.CheckboxGroup(["a", "b", "c"], label="Flags")
                gradio.ColorPicker(label="Colour")
        with gradio.Tab("Chat"):
            gradio.ChatInterface(lambda message, _: f"You said: {message}", type="messages")
    blocks.launch(server_name="127.0.0.1", server_port=int(port), auth=("admin", password), quiet=True, show_api=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
