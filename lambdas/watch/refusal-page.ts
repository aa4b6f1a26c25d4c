import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda'
import type { ProblemType } from '../../lib/api/problem-types.ts'
import { ApiProblem, protection } from '../http/problem.ts'
import { escaped } from './render-page.ts'

const refusal = (statusCode: 404 | 410, title: string, text: string) => ({ statusCode, title, text })

/** Without a valid signature nothing is revealed: a wrong link and a recording that does not exist are the same. */
const unknown = refusal(
  404,
  'Nothing to watch here',
  'The address is wrong or incomplete. If you received a link, open it in full.',
)

/** What a page shows for a link that is refused. A valid signature proves that the link once worked: it is gone. */
const refusals: Readonly<Partial<Record<ProblemType, ReturnType<typeof refusal>>>> = {
  'invalid-link': unknown,
  'link-required': unknown,
  'link-expired': refusal(410, 'This link has expired', 'Ask the person or page that you got it from for a new one.'),
  'link-revoked': refusal(410, 'This link was withdrawn', 'Ask the person or page that you got it from for a new one.'),
  'unknown-show': refusal(410, 'This show is gone', 'Its publisher has deleted it.'),
  'unknown-recording': refusal(410, 'This recording is gone', 'Its publisher has deleted it.'),
}

/** Returns the page for a link that is refused. @throws the error if it is not a refusal */
export function refusalPage(error: unknown, ancestors: string): APIGatewayProxyStructuredResultV2 {
  const found = error instanceof ApiProblem ? refusals[error.type] : undefined
  if (!found) throw error
  const { statusCode, title, text } = found
  return {
    statusCode,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      ...protection,
      'content-security-policy': `default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors ${ancestors}`,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-cache',
      'x-robots-tag': 'noindex',
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="theme-color" content="#121615">
    <title>${escaped(title)}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/assets/watch.css">
  </head>
  <body>
    <main class="refusal">
      <h1>${escaped(title)}</h1>
      <p>${escaped(text)}</p>
    </main>
  </body>
</html>
`,
  }
}
