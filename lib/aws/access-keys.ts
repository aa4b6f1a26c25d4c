import {
  CreateAccessKeyCommand,
  DeleteAccessKeyCommand,
  type IAMClient,
  ListAccessKeysCommand,
  ListUserPoliciesCommand,
  NoSuchEntityException,
  UpdateAccessKeyCommand,
} from '@aws-sdk/client-iam'
import { z } from 'zod'
import { attempt } from './service-errors.ts'

/** The value of the upload key's secret. */
export const uploadKey = z.object({ accessKeyId: z.string().min(1), secretAccessKey: z.string().min(1) })
export type UploadKey = z.output<typeof uploadKey>

export interface ListedKey {
  readonly accessKeyId: string
  readonly isActive: boolean
  /** Milliseconds since the epoch; IAM gives whole seconds. */
  readonly createdAt: number
}

/** Access keys that IAM allows a user (IAM quotas, "Access keys assigned to an IAM user"). */
export const MAX_KEYS = 2

export type AccessKeys = ReturnType<typeof createAccessKeys>

/** Creates the access to the keys of one IAM user. Every method throws {@link ServiceError} when IAM fails. */
export function createAccessKeys(iam: IAMClient, userName: string) {
  const user = { UserName: userName }
  const failed = (doing: string) => `IAM failed while ${doing} of ${userName}`
  const unlessGone = async (act: () => Promise<unknown>): Promise<void> => {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof NoSuchEntityException)) throw error
    }
  }
  const list = (): Promise<ListedKey[]> =>
    attempt(failed('listing the keys'), async () => {
      const { AccessKeyMetadata = [] } = await iam.send(new ListAccessKeysCommand(user))
      return AccessKeyMetadata.map(({ AccessKeyId = '', Status, CreateDate }) => ({
        accessKeyId: AccessKeyId,
        isActive: Status === 'Active',
        createdAt: CreateDate?.getTime() ?? 0,
      }))
    })
  /** Deletes a key, if it exists. */
  const remove = (accessKeyId: string) =>
    attempt(failed('deleting a key'), () =>
      unlessGone(() => iam.send(new DeleteAccessKeyCommand({ ...user, AccessKeyId: accessKeyId }))),
    )
  const createOnce = () =>
    attempt(failed('creating a key'), async () => {
      const { AccessKey: { AccessKeyId = '', SecretAccessKey = '' } = {} } = await iam.send(
        new CreateAccessKeyCommand(user),
      )
      return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey }
    })

  return {
    list,
    /** Returns whether the user has a policy. Without one, its keys have no rights. */
    hasPolicy: () =>
      attempt(failed('listing the policies'), async () => {
        const { PolicyNames = [] } = await iam.send(new ListUserPoliciesCommand(user))
        return PolicyNames.length > 0
      }),
    /** Creates a key. Only the answer holds the secret, so a key whose answer was lost is deleted and another one created. */
    async create(): Promise<UploadKey> {
      const before = new Set((await list()).map(({ accessKeyId }) => accessKeyId))
      try {
        return await createOnce()
      } catch (error) {
        const lost = (await list()).filter(({ accessKeyId }) => !before.has(accessKeyId))
        if (lost.length === 0) throw error
        for (const { accessKeyId } of lost) await remove(accessKeyId)
        return createOnce()
      }
    },
    /** Deactivates a key, if it exists. */
    deactivate: (accessKeyId: string) =>
      attempt(failed('deactivating a key'), () =>
        unlessGone(() =>
          iam.send(new UpdateAccessKeyCommand({ ...user, AccessKeyId: accessKeyId, Status: 'Inactive' })),
        ),
      ),
    delete: remove,
  }
}
