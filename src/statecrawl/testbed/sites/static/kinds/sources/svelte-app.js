import { mount } from "svelte";
import Stories from "./Stories.svelte";

mount(Stories, { target: document.querySelector("main") });
