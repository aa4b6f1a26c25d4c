import { Command } from 'commander'
import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { readFunctionLog } from '../../local/function-log.ts'
import { auditedCalls, auditQueryOf } from '../../operations/audit.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'
import { columns, oneLine } from '../../operations/terminal-text.ts'
import { matching } from '../../parsers.ts'
import { printResult } from '../../print.ts'

const parseId = matching(archiveIdPattern, 'It is neither the id of a show nor of a recording.')

export const auditCommand = () =>
  withTarget(new Command('audit').description('list the calls of the API with caller, route and status'))
    .argument('[id]', 'id of a show or a recording (default: every call)', parseId)
    .option('--json', 'print only { calls } (local) or { query } (AWS), as JSON')
    .addHelpText(
      'after',
      '\nRefused calls are listed as well. On AWS it prints the query for CloudWatch Logs, without running it.',
    )
    .action(runAudit)

async function runAudit(id: string | undefined, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const target = await findTarget(where)
  if (target.kind === 'deployment') {
    const query = auditQueryOf(target.stage ?? 'STAGE', id)
    return printResult(json, { query }, [
      'Run this query in CloudWatch Logs Insights, in the region of the stack:',
      query,
    ])
  }
  const calls = auditedCalls(await readFunctionLog(target.directory), id)
  const rows = calls.map(({ at, caller, route, path, status }) => [at, status, caller, route, path].map(oneLine))
  printResult(
    json,
    { calls },
    calls.length > 0 ? columns([['AT', 'STATUS', 'CALLER', 'ROUTE', 'PATH'], ...rows]) : ['No calls.'],
  )
}
