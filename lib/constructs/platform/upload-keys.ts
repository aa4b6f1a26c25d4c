import { CustomResource } from 'aws-cdk-lib'
import type { User } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct, type IConstruct } from 'constructs'

export interface UploadKeysProps {
  /** The function of the task that deletes them. */
  readonly deleter: IFunction
  readonly uploader: User
  /** What must not make another key once they are deleted. */
  readonly rotation: IConstruct
}

/** The keys that rotations make, which CloudFormation does not know: deleted with the stack, so that the user can be. */
export class UploadKeys extends Construct {
  constructor(scope: Construct, id: string, { deleter, uploader, rotation }: UploadKeysProps) {
    super(scope, id)
    // The function answers itself: CDK's provider framework would bring functions and rights of its own.
    const keys = new CustomResource(this, 'Keys', {
      resourceType: 'Custom::UploadKeys',
      serviceToken: deleter.functionArn,
      properties: { UserName: uploader.userName }, // so that the user is deleted after them
    })
    // CloudFormation deletes in the reverse order: the rotation and the right to upload go first.
    const policy = uploader.node.tryFindChild('DefaultPolicy')
    if (!policy) throw new Error(`${uploader.node.path} has no policy, by whose absence its deletion is known.`)
    policy.node.addDependency(keys)
    rotation.node.addDependency(policy)
  }
}
