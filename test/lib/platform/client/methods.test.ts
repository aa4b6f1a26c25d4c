import { describe, expectTypeOf, it } from 'vitest'
import type { Answer, ItemOf } from '../../../../lib/platform/client/answers.ts'
import type { PlatformCallOptions } from '../../../../lib/platform/client/calls.ts'
import type { PlatformClient } from '../../../../lib/platform/client/client.ts'
import type { Request } from '../../../../lib/platform/contract/operation.ts'
import type { OperationName, Operations } from '../../../../lib/platform/contract/operations/operations.ts'

type Method<O, Result> =
  Record<never, never> extends Request<O>
    ? (request?: Request<O>, options?: PlatformCallOptions<O>) => Result
    : (request: Request<O>, options?: PlatformCallOptions<O>) => Result
type Methods = { [Name in OperationName]: Method<Operations[Name], Promise<Answer<Operations[Name]>>> }

type ListName = Extract<OperationName, `list${string}`>
type Iterators = { [Name in ListName]: Method<Operations[Name], AsyncIterable<ItemOf<Operations[Name]>>> }

describe('PlatformClient', () => {
  it('has the methods that follow from the contract', () => {
    expectTypeOf<Pick<PlatformClient, OperationName>>().toEqualTypeOf<Methods>()
    expectTypeOf<keyof PlatformClient>().toEqualTypeOf<OperationName | 'each' | 'insights'>()
  })

  it('has the iterators that follow from the contract', () => {
    expectTypeOf<PlatformClient['each']>().toEqualTypeOf<Iterators>()
  })
})
