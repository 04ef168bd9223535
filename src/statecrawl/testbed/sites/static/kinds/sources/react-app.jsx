import { useState } from "react";
import { createRoot } from "react-dom/client";

function Stories() {
  const [text, setText] = useState("");

  async function open() {
    const answer = await fetch("/found/react");
    setText(await answer.text());
  }

  if (text) {
    return (
      <>
        <p>{text}</p>
        <button type="button" onClick={() => setText("")}>
          Home
        </button>
      </>
    );
  }
  return (
    <>
      <div>A row that does nothing</div>
      <div onClick={open}>A row that opens</div>
    </>
  );
}

createRoot(document.querySelector("main")).render(<Stories />);
