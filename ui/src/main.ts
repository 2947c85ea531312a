import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import "./print.css";
import { connect } from "./lib/backend";

const target = document.getElementById("window");
// Not awaited here: what `connect` fetches may need this very file, which would then wait for itself.
if (target) void connect().then((backend) => mount(App, { target, props: { backend } }));
