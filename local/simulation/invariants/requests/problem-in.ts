/** Returns the identifier of the problem in an answer (docs/problems.md); undefined if it has none, or is corrupt. */
export function problemIn(answer: string): string | undefined {
  try {
    const { type } = JSON.parse(answer) as { readonly type?: unknown }
    return typeof type === 'string' ? type.split(/[/#:]/).at(-1) : undefined
  } catch {
    return undefined
  }
}
