// What page.c calls of the page: worker.js defines them on the module.
mergeInto(LibraryManager.library, {
  page_out: function (file, bytes, size) { Module["pageOut"](UTF8ToString(file), HEAPU8.slice(bytes, bytes + size)); },
  page_message: function (severity, text) { Module["pageMessage"](severity, UTF8ToString(text)); },
  page_doing: function (what) { Module["pageDoing"](UTF8ToString(what)); },
});
