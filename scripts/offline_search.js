// Search of the web pages where they are opened as files, where browsers start no workers: the worker's script runs in a
// frame of its own instead. The theme's script looks for the name IFrameWorker.
if (location.protocol === "file:") {
    window.IFrameWorker = window.Worker = class extends EventTarget {
        constructor(url) {
            super();
            const frame = document.createElement("iframe");
            frame.hidden = true;
            document.body.append(frame);
            this.inside = frame.contentWindow;
            const load = (source) => new Promise((done, failed) => {
                const script = frame.contentDocument.createElement("script");
                Object.assign(script, {src: source, onload: done, onerror: failed});
                frame.contentDocument.body.append(script);
            });
            this.inside.importScripts = (...sources) =>
                sources.reduce((before, source) => before.then(() => load(source)), Promise.resolve());
            this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", {data}));
            this.loaded = load(url);
        }
        postMessage(data) {
            this.loaded.then(() => this.inside.dispatchEvent(new MessageEvent("message", {data})));
        }
    };
}
