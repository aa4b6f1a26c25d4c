import { describe, expect, it } from 'vitest'
import { breachesOf, type Rule } from './rule.ts'

/** An example that follows a rule, and one that breaks it. */
export interface Examples<Subject> {
  readonly holds: Subject
  readonly breaks: Subject
}

/** Registers a test for each rule: one example breaks it, and the other follows every rule of the table. */
export function describeRules<Subject>(
  name: string,
  rules: readonly Rule<Subject>[],
  examples: readonly Examples<Subject>[],
): void {
  describe(name, () => {
    it('have examples each', () => expect(examples).toHaveLength(rules.length))

    it.each(rules.map((rule, index) => ({ ...rule, ...examples[index] })))('$section: $says', (one) => {
      const { holds, breaks, says } = one as Rule<Subject> & Examples<Subject>
      expect(breachesOf(holds, rules)).toEqual([])
      expect(breachesOf(breaks, rules).join('\n')).toContain(says)
    })
  })
}
