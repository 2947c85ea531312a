// What jsdom lacks and the window uses.

Element.prototype.scrollIntoView = () => {};
window.scrollTo = () => {};
