/**
 * Grammars shipped with Sluice. Queries name definitions: `@type`, `@function` or `@value` is the whole, `@name` its
 * name, `@body` the part after the signature. Swift is excluded: its grammar can crash the process ("Fatal process
 * out of memory: Zone").
 */
export interface Language {
  /** File in the wasm folder of @vscode/tree-sitter-wasm, without `tree-sitter-` and `.wasm`. */
  readonly grammar: string
  readonly query: string
}

const scriptFunctions = `
(function_declaration name: (identifier) @name body: (_) @body) @function
(generator_function_declaration name: (identifier) @name body: (_) @body) @function
(method_definition name: (_) @name body: (_) @body) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body))) @function
(lexical_declaration (variable_declarator name: (identifier) @name value: (function_expression body: (_) @body))) @function
(variable_declaration (variable_declarator name: (identifier) @name value: (arrow_function body: (_) @body))) @function
(variable_declaration (variable_declarator name: (identifier) @name value: (function_expression body: (_) @body))) @function
(expression_statement (assignment_expression left: (member_expression) @name right: (function_expression body: (_) @body))) @function
(expression_statement (assignment_expression left: (member_expression) @name right: (arrow_function body: (_) @body))) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @body)) @value)
(program (export_statement (lexical_declaration (variable_declarator name: (identifier) @name value: (_) @body)) @value))
(program (variable_declaration (variable_declarator name: (identifier) @name value: (_) @body)) @value)
`

const typescript = `${scriptFunctions}
(class_declaration name: (_) @name body: (_) @body) @type
(abstract_class_declaration name: (_) @name body: (_) @body) @type
(interface_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(type_alias_declaration name: (_) @name value: (_) @body) @type
(internal_module name: (_) @name body: (_) @body) @type
(module name: (_) @name body: (_) @body) @type
(function_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @function
(public_field_definition name: (_) @name value: (arrow_function body: (_) @body)) @function
`

const javascript = `${scriptFunctions}
(class_declaration name: (_) @name body: (_) @body) @type
(field_definition property: (_) @name value: (arrow_function body: (_) @body)) @function
`

export const languages = {
  typescript: { grammar: 'typescript', query: typescript },
  tsx: { grammar: 'tsx', query: typescript },
  javascript: { grammar: 'javascript', query: javascript },
  python: {
    grammar: 'python',
    query: `
(function_definition name: (_) @name body: (_) @body) @function
(class_definition name: (_) @name body: (_) @body) @type
(module (expression_statement (assignment left: (identifier) @name right: (_) @body)) @value)
`,
  },
  go: {
    grammar: 'go',
    query: `
(function_declaration name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_) @body) @function
(type_declaration (type_spec name: (_) @name type: (_) @body)) @type
(source_file (const_declaration (const_spec name: (_) @name)) @value)
(source_file (var_declaration (var_spec name: (_) @name)) @value)
`,
  },
  rust: {
    grammar: 'rust',
    query: `
(function_item name: (_) @name body: (_) @body) @function
(function_signature_item name: (_) @name) @function
(struct_item name: (_) @name body: (_)? @body) @type
(enum_item name: (_) @name body: (_) @body) @type
(union_item name: (_) @name body: (_) @body) @type
(trait_item name: (_) @name body: (_) @body) @type
(impl_item type: (_) @name body: (_) @body) @type
(mod_item name: (_) @name body: (_) @body) @type
(type_item name: (_) @name) @type
(macro_definition name: (_) @name) @function
(const_item name: (_) @name value: (_) @body) @value
(static_item name: (_) @name value: (_) @body) @value
`,
  },
  java: {
    grammar: 'java',
    query: `
(class_declaration name: (_) @name body: (_) @body) @type
(interface_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(record_declaration name: (_) @name body: (_) @body) @type
(annotation_type_declaration name: (_) @name body: (_) @body) @type
(method_declaration name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_) @body) @function
(field_declaration declarator: (variable_declarator name: (_) @name)) @value
`,
  },
  // C definitions are almost always valid C++.
  cpp: {
    grammar: 'cpp',
    query: `
(function_definition declarator: (_) @name body: (_) @body) @function
(class_specifier name: (_) @name body: (_) @body) @type
(struct_specifier name: (_) @name body: (_) @body) @type
(union_specifier name: (_) @name body: (_) @body) @type
(enum_specifier name: (_) @name body: (_) @body) @type
(namespace_definition name: (_) @name body: (_) @body) @type
(type_definition type: (struct_specifier name: (_) @name body: (_) @body)) @type
(type_definition type: (enum_specifier name: (_) @name body: (_) @body)) @type
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (_) @name) @type
(type_definition type: (union_specifier !name body: (_) @body) declarator: (_) @name) @type
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (_) @name) @type
(type_definition type: [(primitive_type) (type_identifier) (sized_type_specifier)] declarator: (_) @name) @type
(declaration declarator: (function_declarator) @name) @function
(field_declaration declarator: (function_declarator) @name) @function
(preproc_function_def name: (_) @name value: (_)? @body) @function
(translation_unit (declaration declarator: (init_declarator declarator: (_) @name value: (_) @body)) @value)
`,
  },
  csharp: {
    grammar: 'c-sharp',
    query: `
(class_declaration name: (_) @name body: (_) @body) @type
(interface_declaration name: (_) @name body: (_) @body) @type
(struct_declaration name: (_) @name body: (_) @body) @type
(record_declaration name: (_) @name body: (_)? @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(namespace_declaration name: (_) @name body: (_) @body) @type
(method_declaration name: (_) @name body: (_)? @body) @function
(constructor_declaration name: (_) @name body: (_) @body) @function
(local_function_statement name: (_) @name body: (_) @body) @function
(property_declaration name: (_) @name) @value
`,
  },
  ruby: {
    grammar: 'ruby',
    query: `
(class name: (_) @name body: (_)? @body) @type
(module name: (_) @name body: (_)? @body) @type
(method name: (_) @name body: (_)? @body) @function
(singleton_method name: (_) @name body: (_)? @body) @function
`,
  },
  php: {
    grammar: 'php',
    query: `
(class_declaration name: (_) @name body: (_) @body) @type
(interface_declaration name: (_) @name body: (_) @body) @type
(trait_declaration name: (_) @name body: (_) @body) @type
(enum_declaration name: (_) @name body: (_) @body) @type
(namespace_definition name: (_) @name body: (_) @body) @type
(function_definition name: (_) @name body: (_) @body) @function
(method_declaration name: (_) @name body: (_)? @body) @function
`,
  },
  bash: { grammar: 'bash', query: `(function_definition name: (_) @name body: (_) @body) @function` },
  powershell: {
    grammar: 'powershell',
    query: `
(function_statement (function_name) @name (script_block) @body) @function
(class_statement (simple_name) @name) @type
`,
  },
  css: {
    grammar: 'css',
    query: `
(rule_set (selectors) @name (block) @body) @type
(media_statement (block) @body) @type
(keyframes_statement (keyframes_name) @name (keyframe_block_list) @body) @type
`,
  },
} as const satisfies Record<string, Language>

/** Other source is outlined by lines. */
export type LanguageId = keyof typeof languages
