/** By `sluice init`: valid, with the common options in comments. */
export const STARTER_CONFIG = `// Settings of Sluice. Comments and trailing commas are fine here.
// Saved changes take effect at once; a file with a mistake changes nothing, and \`sluice doctor\` says where it is.
{
  "$schema": "./config.schema.json",

  // The MCP servers behind Sluice, by a name of your choice. A "mcpServers" block from another client can be
  // pasted in as it is. Take the slashes away to try one of these:
  "servers": {
    // "files": {
    //   "command": "npx",
    //   "args": ["-y", "@modelcontextprotocol/server-filesystem", "/path/to/a/folder"],
    //   // Settings per tool, by the server's own name for it.
    //   "tools": {
    //     "write_file": { "hidden": true },
    //     "directory_tree": { "compression": { "maxOutputTokens": 2000 } },
    //   },
    // },
    // "remote": {
    //   "url": "https://example.com/mcp",
    //   // \${env:NAME} stands for an environment variable, which keeps secrets out of this file.
    //   "headers": { "Authorization": "Bearer \${env:EXAMPLE_TOKEN}" },
    // },
  },

  // How large results are shortened. The same block in a server or in a tool goes before this one.
  "compression": {
    // Results with at most this many tokens pass untouched.
    "tokenThreshold": 2000,
    // A shortened result has at most this many tokens.
    "maxOutputTokens": 1000,
  },

  // The originals of shortened results: how long they are kept, and how much space they may take.
  "results": { "ttlHours": 24, "maxBytes": 1000000000 },
}
`
