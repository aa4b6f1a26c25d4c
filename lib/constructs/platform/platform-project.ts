import { CustomResource } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import type { Settings } from '../deploy/settings.ts'

export interface PlatformProjectProps {
  /** The function of the task that manages projects. */
  readonly manager: IFunction
  readonly order: NonNullable<Settings['platform']['project']>
}

/** The platform project, which is created, suspended and deleted with the stack. */
export class PlatformProject extends Construct {
  /** Key of the project, known after its creation. */
  readonly apiKey: string

  constructor(scope: Construct, id: string, { manager, order }: PlatformProjectProps) {
    super(scope, id)
    // The function answers CloudFormation directly: CDK's provider framework would add functions and rights.
    const project = new CustomResource(this, 'Project', {
      resourceType: 'Custom::PlatformProject',
      serviceToken: manager.functionArn,
      properties: { Name: order.name, Status: order.status },
    })
    this.apiKey = project.getAttString('ApiKey')
  }
}
