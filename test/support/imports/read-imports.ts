export interface Import {
  /** The specifier as written: `../base/ids.ts`, `express`, `node:fs`. */
  from: string
  /** Erased when compiled: `import type`, `export type … from`, `typeof import('…')`. */
  isType: boolean
}

const statement =
  /^\s*(?:import|export)\s+(type\s+(?!from\b|,))?(?:[\w\s{},*$]*?\bfrom\s*)?['"]([^'"\n]+)['"]/gm
const dynamic = /(typeof\s+)?\bimport\(\s*['"]([^'"\n]+)['"]\s*[,)]/g
// Text that only looks like code: templates first, for a snippet in one may hold comment signs.
const notCode = [/`(?:\\[\s\S]|[^`\\])*`/g, /^\s*\/\/.*$/gm, /\/\*[\s\S]*?\*\//g]

/** All that a TypeScript source imports or re-exports from elsewhere, in its own order by kind. */
export function readImports(source: string): Import[] {
  const code = notCode.reduce((text, pattern) => text.replace(pattern, '``'), source)
  return [...code.matchAll(statement), ...code.matchAll(dynamic)].map((match) => ({
    from: match[2] as string,
    isType: match[1] !== undefined,
  }))
}
