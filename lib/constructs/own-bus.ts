import { Lazy } from 'aws-cdk-lib'
import { CfnEventBusPolicy, EventBus } from 'aws-cdk-lib/aws-events'
import type { Role } from 'aws-cdk-lib/aws-iam'
import { Construct } from 'constructs'

/** The stack's own bus. Only the stack's functions that write events may put them on it; all other principals are denied. */
export class OwnBus extends Construct {
  readonly eventBus: EventBus
  readonly #writers = new Set<Role>()

  constructor(scope: Construct, id: string, { eventBusName }: { readonly eventBusName: string }) {
    super(scope, id)
    this.eventBus = new EventBus(this, 'Bus', {
      eventBusName,
      description: 'Events of shows and recordings, and of the platform’s callbacks.',
    })
    const roleArns = Lazy.list({ produce: () => [...this.#writers].map(({ roleArn }) => roleArn) })
    new CfnEventBusPolicy(this, 'WritersOnly', {
      eventBusName: this.eventBus.eventBusName,
      statementId: 'WritersOnly',
      statement: {
        Sid: 'WritersOnly',
        Effect: 'Deny',
        Principal: '*',
        Action: 'events:PutEvents',
        Resource: this.eventBus.eventBusArn,
        // For an assumed role the key has the role's ARN. AWS's own services have none, so they are denied as well.
        Condition: { ArnNotEquals: { 'aws:PrincipalArn': roleArns } },
      },
    })
  }

  /** Lets a role put events on the bus. */
  addWriter(role: Role): void {
    if (this.#writers.has(role)) return
    this.#writers.add(role)
    this.eventBus.grantPutEventsTo(role)
  }
}
