import { ExecutionAlreadyExists, SFNClient, type SFNClientConfig, StartExecutionCommand } from '@aws-sdk/client-sfn'
import type { DeadLetters } from './dead-letters.ts'

/** Hands one event over, and can be closed. */
export interface HandOver {
  /** @param id of the message: what is handed over twice starts one execution @throws Error when the target does not take it */
  (event: string, id: string): Promise<void>
  close(): void
}

/** @throws Error when the target is neither a function nor a machine */
export function createHandOver({ name, target }: DeadLetters, config: SFNClientConfig): HandOver {
  const kind = /^arn:[\w-]+:(lambda|states):/.exec(target)?.[1]
  if (!kind) throw new Error(`What the queue of ${name} is for is no function and no machine: ${target}.`)
  const client = new SFNClient(config)
  const act = kind === 'lambda' ? invokeLater : startExecution
  return Object.assign((event: string, id: string) => act(client, target, event, id), { close: () => client.destroy() })
}

async function startExecution(client: SFNClient, stateMachineArn: string, input: string, id: string): Promise<void> {
  const command = new StartExecutionCommand({ stateMachineArn, name: `redrive-${id}`, input })
  await client.send(command).catch((error) => {
    if (!(error instanceof ExecutionAlreadyExists)) throw error // only its deletion was lost
  })
}

/**
 * Lambda's Invoke, asynchronously. It is the only call of Lambda in the project, so it goes out by the signer, the credentials
 * and the connection of a client that is there anyway.
 */
async function invokeLater({ config }: SFNClient, functionArn: string, body: string): Promise<void> {
  const [, partition, , region = '', , , name] = functionArn.split(':')
  const { protocol, hostname, port } = (await config.endpoint?.()) ?? {
    ...{ protocol: 'https:', port: undefined },
    hostname: `lambda.${region}.amazonaws.com${partition === 'aws-cn' ? '.cn' : ''}`,
  }
  const request = {
    ...{ method: 'POST', protocol, hostname, ...(port && { port }), query: {}, body },
    path: `/2015-03-31/functions/${name}/invocations`,
    headers: {
      host: port ? `${hostname}:${port}` : hostname,
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-amz-invocation-type': 'Event',
    },
  }
  const signer = await config.signer()
  const signed = await signer.sign(request, { signingService: 'lambda', signingRegion: region })
  const { response } = await config.requestHandler.handle(signed as never)
  const answer = await textOf(response.body)
  if (response.statusCode !== 202) throw new Error(messageIn(answer) ?? `Lambda answers ${response.statusCode}.`)
}

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

/** Lambda writes it with a capital, what stands in front of it without. */
function messageIn(answer: string): string | undefined {
  try {
    const { Message, message = Message } = JSON.parse(answer)
    return typeof message === 'string' ? message : undefined
  } catch {
    return undefined
  }
}
