import { afterAll, beforeAll, describe, it } from 'vitest'
import { type Clients, startWithClients } from './clients.ts'
import { s3Rows } from './s3-rows.ts'
import { eventRows, iamRows, schedulerRows, secretsRows, statesRows } from './service-rows.ts'

/** Everything the stack's functions do to AWS, as they do it: by clients that know an address and a key. */
describe('the unmodified SDK against the local endpoint', () => {
  let clients: Clients
  beforeAll(async () => {
    clients = await startWithClients()
  })
  afterAll(() => clients.close())

  it.each(s3Rows)('of S3: %s %s', (_operation, _semantics, act) => act(clients))
  it.each(secretsRows)('of Secrets Manager: %s %s', (_operation, _semantics, act) => act(clients))
  it.each(iamRows)('of IAM: %s %s', (_operation, _semantics, act) => act(clients))
  it.each(eventRows)('of EventBridge and SQS: %s %s', (_operation, _semantics, act) => act(clients))
  it.each(schedulerRows)('of EventBridge Scheduler: %s %s', (_operation, _semantics, act) => act(clients))
  it.each(statesRows)('of Step Functions: %s %s', (_operation, _semantics, act) => act(clients))
})
