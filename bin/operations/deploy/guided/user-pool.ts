import { randomBytes } from 'node:crypto'
import type { SFNClient } from '@aws-sdk/client-sfn'
import { z } from 'zod'
import { requestService } from '../../lambda-requests.ts'

/** A Cognito user pool whose app client gets tokens for event apps. */
export interface UserPool {
  /** The setting `identity.issuer`. */
  readonly issuer: string
  /** The setting `identity.audience`, which is the id of the app client. */
  readonly audience: string
  readonly poolId: string
  /** Address at which the app client requests tokens. */
  readonly tokenUrl: string
}

/** The scopes of the three roles, as the settings name them by default. */
const SCOPES = { viewer: 'reads', operator: 'operates', admin: 'administers' } as const

const poolAnswer = z.object({ UserPool: z.object({ Id: z.string() }) })
const clientAnswer = z.object({ UserPoolClient: z.object({ ClientId: z.string() }) })

/**
 * Creates a user pool with a domain, a scope for each role, and an app client for the flow *client credentials*. Deletes the
 * pool again when a step fails. The secret of the client stays in Cognito.
 * @throws Error with the message of Cognito
 */
export async function createUserPool(
  client: SFNClient,
  { region, stage }: { readonly region: string; readonly stage: string },
): Promise<UserPool> {
  const call = async (operation: string, input: object): Promise<unknown> => {
    const target = `AWSCognitoIdentityProviderService.${operation}`
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }
    const request = { method: 'POST', path: '/', headers, body: JSON.stringify(input) } as const
    return JSON.parse((await requestService(client, { service: 'cognito-idp', region }, request)) || '{}')
  }
  const created = poolAnswer.parse(await call('CreateUserPool', { PoolName: `showrunner-${stage}` }))
  const UserPoolId = created.UserPool.Id
  const Domain = `showrunner-${stage}-${randomBytes(4).toString('hex')}`
  try {
    await call('CreateUserPoolDomain', { UserPoolId, Domain })
    const Scopes = Object.entries(SCOPES).map(([ScopeName, ScopeDescription]) => ({ ScopeName, ScopeDescription }))
    await call('CreateResourceServer', { UserPoolId, Identifier: 'showrunner', Name: 'Showrunner', Scopes })
    const answer = await call('CreateUserPoolClient', {
      UserPoolId,
      ClientName: 'event-app',
      GenerateSecret: true,
      AllowedOAuthFlowsUserPoolClient: true,
      AllowedOAuthFlows: ['client_credentials'],
      AllowedOAuthScopes: ['showrunner/operator'],
    })
    return {
      issuer: `https://cognito-idp.${region}.amazonaws.com/${UserPoolId}`,
      audience: clientAnswer.parse(answer).UserPoolClient.ClientId,
      poolId: UserPoolId,
      tokenUrl: `https://${Domain}.auth.${region}.amazoncognito.com/oauth2/token`,
    }
  } catch (error) {
    // A call without an answer may have created the domain, without whose deletion the pool cannot be deleted.
    await call('DeleteUserPoolDomain', { UserPoolId, Domain }).catch(() => {})
    await call('DeleteUserPool', { UserPoolId }).catch((cause: Error) => {
      throw new Error(`The user pool ${UserPoolId} is incomplete and could not be deleted: ${cause.message}`, {
        cause: error,
      })
    })
    throw error
  }
}
