import { Command, InvalidArgumentError } from 'commander'
import { archiveIdPattern } from '../../../lib/show/document/fields/names.ts'
import { readFunctionLog } from '../../local/function-log.ts'
import { auditedCalls, auditQueryOf } from '../../operations/audit.ts'
import { columns, oneLine } from '../../operations/show-words.ts'
import { findTarget, type TargetOptions, withTarget } from '../../operations/target.ts'

export const auditCommand = () =>
  withTarget(new Command('audit').description('list who called the API, for what and with which status'))
    .argument('[id]', 'of a show or a recording; every call without it', parseId)
    .option('--json', 'print { calls } (laptop) or { query } (AWS) and nothing else')
    .addHelpText('after', '\nRefusals are listed as well. On AWS the query for CloudWatch Logs is printed, not run.')
    .action(audit)

async function audit(id: string | undefined, { json, ...where }: TargetOptions & { json?: boolean }): Promise<void> {
  const target = await findTarget(where)
  const print = (document: object, words: readonly string[]) =>
    process.stdout.write(json ? `${JSON.stringify(document, null, 2)}\n` : `${words.join('\n')}\n`)
  if (target.kind === 'deployment') {
    const query = auditQueryOf(target.stage ?? 'STAGE', id)
    return void print({ query }, ['In CloudWatch Logs Insights, in the region of the stack, ask:', query])
  }
  const calls = auditedCalls(await readFunctionLog(target.directory), id)
  const rows = calls.map(({ at, caller, route, path, status }) => [at, status, caller, route, path].map(oneLine))
  print({ calls }, calls.length > 0 ? columns([['AT', 'STATUS', 'CALLER', 'ROUTE', 'PATH'], ...rows]) : ['No calls.'])
}

/** @throws InvalidArgumentError for what is neither the id of a show nor of a recording */
function parseId(id: string): string {
  if (archiveIdPattern.test(id)) return id
  throw new InvalidArgumentError('It is neither the id of a show nor of a recording.')
}
