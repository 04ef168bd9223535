"""Pages on which each hidden state is reached only by one kind of event or in one kind of place.

The interface
    The start page lists things to try. The one event that a thing listens for replaces the whole page by a line of
    text and a home button, which leads back to the start page as it was. One thing takes two events: *back* needs a
    step forward first. One appears three seconds after the page. A question that is put by `confirm` hides two
    states, one behind each answer.

    The other pages stand for themselves and hide one state each, in the same way. On the pages of the frameworks and
    of delegated listeners the element that matters is a plain <div>: it has no role and no listener of its own, and
    only one of them a pointer.

The truth
    How many events a page has depends on what a crawler counts as one, so there is no complete model here. What must
    come out is a set of texts: each has to stand in the document of some state that a crawl finds, and in no other.
"""

HIDDEN: dict[str, str] = {  # on the start page, kind of event or of place -> text of the state behind it
    "click": "Found with a plain click",
    "dblclick": "Found with two clicks",
    "mouseenter": "Found by going there",
    "mouseleave": "Found by going away again",
    "focus": "Found by looking closely",
    "blur": "Found by looking elsewhere",
    "input": "Found by writing a word",
    "change": "Found at the end of a story",
    "number": "Found with a number from one to three",
    "range": "Found by moving a slider",
    "color": "Found by choosing a colour",
    "date": "Found by choosing a day",
    "select": "Found in a list of choices",
    "checkbox": "Found by ticking a box",
    "radio": "Found by pressing one of two",
    "keydown-enter": "Found with the enter key",
    "keydown-escape": "Found with the escape key",
    "keydown-arrow-down": "Found with an arrow key",
    "contextmenu": "Found with the other mouse button",
    "long-press": "Found by holding on",
    "drag-and-drop": "Found by carrying something over",
    "wheel": "Found by turning the wheel",
    "scroll": "Found at the end of the page",
    "details": "Found by unfolding",
    "submit": "Found by sending a form",
    "back": "Found by going back in time",
    "open-shadow": "Found in the open shadow",
    "closed-shadow": "Found in the closed shadow",
    "frame": "Found in a frame within a frame",
    "srcdoc": "Found in a frame without address",
    "timer": "Found after a while",
    "confirm": "Found by saying yes",
    "dismiss": "Found by saying no",
    "alert": "Found behind a warning",
    "navigation": "Found on another page",
}

ALONE: dict[str, str] = {  # the page "<kind>.html" -> text of the state behind it
    "trusted": "Found by a real hand",
    "closest": "Found near something that opens",
    "dataset": "Found in the data of an element",
    "classlist": "Found by the class of an element",
    "cursor": "Found by the pointer alone",
    "jquery": "Found by jQuery",
    "backbone": "Found by Backbone",
    "react": "Found by React",
    "vue": "Found by Vue",
    "svelte": "Found by Svelte",
}

# The page "foreign.html" has a frame of another origin with a state of its own. Whether a crawl enters it is for its
# scope to say; the default is to stop there.
FOREIGN = "foreign"
FOREIGN_TEXT = "Found in the house of a stranger"
