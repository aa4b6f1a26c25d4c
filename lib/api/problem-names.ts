import { type ProblemDefinition, type ProblemType, problemTypes } from './problem-types.ts'

/** Returns the title of a problem type. */
export function problemTitle(type: ProblemType): string {
  const { title }: ProblemDefinition = problemTypes[type]
  return title ?? `${type.charAt(0).toUpperCase()}${type.slice(1).replaceAll('-', ' ')}`
}

/** Returns the `type` of a problem document: the address of its section in docs/problems.md. */
export const problemUri = (type: ProblemType) =>
  `https://github.com/showrunner/showrunner/blob/main/docs/problems.md#${type}` as const
