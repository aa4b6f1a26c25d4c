import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { Command, Option } from 'commander'
import { readSettings, type Settings } from '../../../lib/constructs/deploy/settings.ts'
import { askInTerminal } from '../../init/ask-in-terminal.ts'
import { disposable } from '../../local/aws-access.ts'
import { readSecretValue } from '../../local/hidden-input.ts'
import { interruptible } from '../../local/interruption.ts'
import { root } from '../../local/root.ts'
import { checkAws, holdsKey, readAws } from '../../operations/deploy/aws.ts'
import { argumentsOf, runCdk, toCommand } from '../../operations/deploy/cdk.ts'
import { type Check, checkLines, isReady, missing, passed } from '../../operations/deploy/check.ts'
import { checkLayer, type LayerFacts, readLayer } from '../../operations/deploy/ffmpeg-layer.ts'
import { guideSettings } from '../../operations/deploy/guided/guide.ts'
import { storeKeys } from '../../operations/deploy/guided/store-keys.ts'
import { checkLimits, type LambdaLimits, readLimits } from '../../operations/deploy/limits.ts'
import { checkSecrets, putProjectSecret } from '../../operations/deploy/secret-checks.ts'
import { checkAlarms, checkFfmpegSetting, checkIssuer, checkPlatform } from '../../operations/deploy/settings-checks.ts'
import { type Outputs, outputsFileOf, readOutputs } from '../../operations/outputs.ts'

interface Options {
  readonly stage?: string
  readonly settings: string
  readonly dryRun?: boolean
  readonly guided?: boolean
}

const defaultSettings = join(root, 'cdk.json')

export const deployCommand = () =>
  new Command('deploy')
    .description('check what a deployment to AWS needs; if nothing is missing, run `cdk deploy`')
    .argument('[cdk...]', 'options for `cdk deploy`, after --')
    .option('--stage <name>', 'replaces the stage of the settings')
    .option('--settings <file>', 'JSON file with the settings in context.showrunner', defaultSettings)
    .addOption(
      new Option('--guided', 'ask for the settings, write them to the file, store keys, and do the dry run').conflicts([
        'stage',
        'dryRun',
      ]),
    )
    .option('--dry-run', 'print what is missing and what would be run, without changing anything')
    .action((more: string[], options: Options) =>
      interruptible((signal) => (options.guided ? runGuided : runDeploy)(more, options, signal)),
    )

/** Asks for the settings, and then prints what a deployment with them needs. */
async function runGuided(more: readonly string[], options: Options, signal: AbortSignal): Promise<void> {
  const { settings: path } = options
  if (!process.stdin.isTTY)
    throw new Error(
      `--guided asks questions and needs a terminal. Write ${path} as docs/deploy.md describes, and use --dry-run.`,
    )
  const report = (line: string) => print([line])
  const facts = await readAws()
  const credentialsProblem = async (region: string) => {
    const { credentials } = await readAws(region)
    return credentials === 'found' ? undefined : credentials.problem
  }
  const defaults = { region: facts.region }
  const settings = await guideSettings({ path, defaults, inTerminal: askInTerminal, report, credentialsProblem })
  signal.throwIfAborted()
  const region = String(settings.region)
  if (facts.credentials === 'found') {
    const outputs = await readOutputs(String(settings.stage)).catch((): Outputs => ({}))
    using manager = disposable(new SecretsManagerClient({ region }))
    const holds = (secret: string) => holdsKey(secret, region)
    await storeKeys({ settings, outputs, holds, manager, readHidden: readSecretValue, report })
  }
  print([''])
  await runDeploy(more, { settings: path, dryRun: true }, signal)
  print([
    '',
    'Next, once nothing is marked ✗:',
    `  npm run showrunner -- deploy${isDefault(path) ? '' : ` --settings ${path}`}`,
  ])
}

const isDefault = (path: string) => path === defaultSettings

async function runDeploy(more: readonly string[], options: Options, signal: AbortSignal): Promise<void> {
  const context = await readContext(options.settings)
  const showrunner: Record<string, unknown> = {
    ...(context.showrunner as object),
    ...(options.stage && { stage: options.stage }),
  }
  const settings = parseSettings(showrunner)
  const qualifier = String(context['@aws-cdk/core:bootstrapQualifier'] ?? 'hnb659fds')
  const checks = await check(settings, qualifier)
  print([...checkLines(checks), ''])
  signal.throwIfAborted()

  const ready = isReady(checks)
  if (!ready) process.exitCode = 1
  if (!(settings instanceof Error) && options.dryRun) {
    const intro = ready ? 'This would be run:' : 'This is run once nothing is missing:'
    return print([intro, '', `  ${toCommand(argumentsOf({ stage: settings.stage, context: showrunner, more }))}`])
  }
  if (settings instanceof Error || !ready)
    throw new Error('Nothing was deployed. Add what is marked ✗ and run it again (docs/deploy.md).')

  await mkdir(dirname(outputsFileOf(settings.stage)), { recursive: true })
  const code = await runCdk(argumentsOf({ stage: settings.stage, context: showrunner, more }), signal)
  if (signal.aborted)
    return print(['Interrupted. CloudFormation continues what it has started; its console shows the progress.'])
  if (code !== 0) throw new Error(`The CDK ended with code ${code}. Its messages are above.`)
  print(nextSteps(settings, await readOutputs(settings.stage)))
}

/** Returns the error instead of throwing it, since it is one of the checks. */
function parseSettings(context: unknown): Settings | Error {
  try {
    return readSettings(context)
  } catch (error) {
    return error as Error
  }
}

const NO_CREDENTIALS = { problem: 'no credentials were found.' }

async function check(settings: Settings | Error, qualifier: string): Promise<Check[]> {
  const what = 'settings'
  if (settings instanceof Error) {
    return [...checkAws(await readAws(), qualifier), missing(what, settings.message)]
  }
  const facts = await readAws(settings.region)
  const { region } = facts
  const outputs = await readOutputs(settings.stage).catch((): Outputs => ({})) // none before the first deployment
  const holds: typeof holdsKey = async (secret, region) =>
    facts.credentials === 'found' ? holdsKey(secret, region) : NO_CREDENTIALS
  const unread: LambdaLimits = { concurrency: NO_CREDENTIALS, largest: NO_CREDENTIALS }
  const limits = facts.credentials === 'found' ? await readLimits(region) : unread
  const layer = async (): Promise<LayerFacts> =>
    facts.credentials === 'found' && region ? readLayer(settings.ffmpegLayer ?? '', region) : NO_CREDENTIALS
  return [
    ...checkAws(facts, qualifier),
    passed(what, `They are valid. The stage is ${settings.stage}.`),
    ...checkLimits(settings, limits),
    await checkPlatform(settings),
    ...(await checkSecrets(settings, { region, outputs, holds })),
    await checkIssuer(settings),
    checkFfmpegSetting(settings, region) ?? checkLayer(settings, await layer()),
    checkAlarms(settings),
  ]
}

/** @throws Error when the file cannot be read or is not JSON */
async function readContext(path: string): Promise<Record<string, unknown>> {
  try {
    return JSON.parse(await readFile(path, 'utf8')).context ?? {}
  } catch (cause) {
    throw new Error(`The settings file ${path} cannot be read (${(cause as Error).message}).`, { cause })
  }
}

function nextSteps({ stage, platform }: Settings, { ApiUrl = '', ProjectSecretArn = '' }: Outputs): string[] {
  return [
    '',
    `Deployed. The API: ${ApiUrl}`,
    ...(platform.project
      ? []
      : ['Store the key and secret of the project once:', `  ${putProjectSecret(ProjectSecretArn)}`]),
    'Set SHOWRUNNER_TOKEN to a token of your issuer, then list the shows:',
    `  npm run showrunner -- list --stage ${stage}`,
  ]
}

const print = (lines: readonly string[]) => void process.stdout.write(`${lines.join('\n')}\n`)
