import { apiRoutes, problemsOf, type RouteKey } from '../../lib/api/api.ts'
import { problemTitle, problemUri } from '../../lib/api/problem-names.ts'
import { type ProblemType, problemTypes } from '../../lib/api/problem-types.ts'
import { code, markdownPage } from './markdown.ts'

const routes = Object.keys(apiRoutes) as RouteKey[]

/** Renders `docs/problems.md`: every problem type of the HTTP API, under the anchor that its `type` names. */
export const renderProblems = (): string =>
  markdownPage(
    'Problems',
    code('lib/api/problem-types.ts'),
    `Functions of the HTTP API answer errors with problem documents (RFC 9457). The member \`type\` names the cause, for example \`${problemUri('unknown-show')}\`. Types are stable: compare them, and show \`detail\` to people. API Gateway itself answers some errors with \`{ "message": … }\` instead.`,
    ...(Object.keys(problemTypes) as ProblemType[]).map(section),
  )

function section(type: ProblemType): string {
  const { status, meaning, action } = problemTypes[type]
  const of = routes.filter((key) => problemsOf(key).includes(type))
  const where = of.length === routes.length ? 'Every route.' : of.map(code).join(', ')
  return [
    `## ${type}`,
    `**${status} ${problemTitle(type)}.** ${meaning}`,
    `What to do: ${action}`,
    where && `Routes: ${where}`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
