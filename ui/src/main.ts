import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./print.css";
import { connect } from "./lib/backend";

const target = document.getElementById("window");
if (target) mount(App, { target, props: { backend: await connect() } });
