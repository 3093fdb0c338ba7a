// Runs the library beside the page: one request at a time, answered by messages. What runs too long is ended
// with the whole worker, and the page starts another with the same compiled module.
"use strict";
let library, files, messages;

function start(compiled) {
  return tenureModule({
    instantiateWasm: (imports, done) => {
      WebAssembly.instantiate(compiled, imports).then((instance) => done(instance));
      return {};
    },
    // Pieces of a file come one after the other, those of several files may alternate.
    pageOut: (name, bytes) => {
      if (!files.has(name)) files.set(name, []);
      files.get(name).push(bytes);
    },
    pageMessage: (severity, text) => messages.push({ severity, text }),
    pageDoing: (what) => postMessage({ doing: what }),
    print: () => {},
    printErr: (text) => messages.push({ severity: 0, text }),
  });
}

// The file goes to where the library reads it, piece by piece: there is no second copy of it.
async function open(which, file) {
  let at = library.ccall("page_open", "number", ["number", "string", "number"], [which, file.name, file.size]);
  if (at === 0) throw new Error("a page has no room for a file of " + file.size + " bytes");
  const reader = file.stream().getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    library.HEAPU8.set(piece.value, at);
    at += piece.value.length;
  }
}

function call(name, ...args) {
  return library.ccall(name, "number", args.map((a) => typeof a), args);
}

onmessage = async ({ data }) => {
  files = new Map();
  messages = [];
  let status = 0, failed = null;
  try {
    if (data.compiled) library = await start(data.compiled);
    else if (data.open) await open(...data.open);
    else status = call(...data.call);
  } catch (error) {
    // Out of memory, or the end of the stack: what is left is not used any more.
    failed = String(error.message || error);
  }
  postMessage({ done: data.id, status, failed, messages, memory: library ? library.HEAPU8.length : 0,
    files: Array.from(files, ([name, pieces]) => ({ name, blob: new Blob(pieces) })) });
};
