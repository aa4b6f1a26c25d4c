import { type Program, startProgram } from './program.ts'

/** A command that runs until it is stopped, and has printed where it is. */
export interface ReadyProgram<Addresses> extends Program {
  readonly ready: Readonly<Addresses>
  /** Ends it in order, and resolves with all that it has printed. */
  stop(): Program['ended']
}

export type LocalAddresses = Record<'consoleUrl' | 'joinUrl' | 'apiUrl' | 'token' | 'sandboxUrl' | 'apiKey', string>
export type SandboxAddresses = Record<'url' | 'apiKey' | 'apiSecret' | 'controlToken', string>

/** Options of `npm start` with which several run at once. */
export const FREE_PORTS = ['--port=0', '--api-port=0', '--sandbox-port=0', '--join-port=0']

/** Starts `npm start` on a directory, at free ports. */
export const startLocal = (directory: string, options: readonly string[] = []): Promise<ReadyProgram<LocalAddresses>> =>
  untilReady(['start', '--json', ...FREE_PORTS, '--directory', directory, ...options])

/** Starts `console` for the API at an address, at a free port. */
export const startConsole = (
  apiUrl: string,
  token: string,
): Promise<ReadyProgram<Pick<LocalAddresses, 'consoleUrl' | 'apiUrl'>>> =>
  untilReady(['console', '--json', '--port=0', '--url', apiUrl], { SHOWRUNNER_TOKEN: token })

/** Starts the sandbox as its users do, in real time. */
export const startSandboxProgram = (
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<ReadyProgram<SandboxAddresses>> => untilReady(['sandbox', '--json', ...options], environment)

/** Resolves with the first line of JSON that a command prints; rejects when it ends without. */
async function untilReady<Addresses>(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<ReadyProgram<Addresses>> {
  const program = startProgram(args, environment)
  const [line] = await program.says(/^\{.+\}$/m)
  return {
    ...program,
    ready: JSON.parse(line),
    stop() {
      program.child.kill('SIGTERM')
      return program.ended
    },
  }
}
