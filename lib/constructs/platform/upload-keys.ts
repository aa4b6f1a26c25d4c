import { CustomResource } from 'aws-cdk-lib'
import type { User } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct, type IConstruct } from 'constructs'

export interface UploadKeysProps {
  /** The function of the task that deletes them. */
  readonly deleter: IFunction
  readonly uploader: User
  /** Constructs that must not create another key after the deletion. */
  readonly rotation: IConstruct
}

/** Deletes the keys that rotations have created with the stack: CloudFormation cannot delete a user that has keys. */
export class UploadKeys extends Construct {
  constructor(scope: Construct, id: string, { deleter, uploader, rotation }: UploadKeysProps) {
    super(scope, id)
    // The function answers CloudFormation directly: CDK's provider framework would add functions and rights.
    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::UploadKeys',
      serviceToken: deleter.functionArn,
      properties: { UserName: uploader.userName }, // orders the deletion: keys before their user
    })
    // CloudFormation deletes in the reverse order: the rotation and the right to upload go first.
    const policy = uploader.node.tryFindChild('DefaultPolicy')
    if (!policy) throw new Error(`${uploader.node.path} has no policy, which must be deleted before its keys.`)
    policy.node.addDependency(keys)
    rotation.node.addDependency(policy)
  }
}
