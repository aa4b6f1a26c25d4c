import { RemovalPolicy, Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnStateMachineVersion, DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { names } from '../show/document/fields/names.ts'
import type { TaskName } from '../tasks/tasks.ts'
import { suppress, suppressWildcards } from './access/nag-suppressions.ts'
import { readDefinition } from './deploy/definition.ts'
import type { Settings } from './deploy/settings.ts'
import { Log } from './log.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface WorkflowMachineProps {
  /** File under `statemachines/`, without its ending. */
  readonly file: string
  readonly machineName: string
  readonly settings: Pick<Settings, 'logs' | 'tracing' | 'concurrency' | 'memory'>
  readonly functionOf: (task: TaskName) => ShowrunnerFunction
  /** Machines this one runs as children and waits for, by their substitution. */
  readonly children?: Readonly<Record<string, WorkflowMachine>>
  /** Machines this one starts and does not wait for, by their substitution. */
  readonly others?: Readonly<Record<string, WorkflowMachine>>
}

/**
 * A state machine from its ASL file, with the published version of everything that it calls substituted: an execution under
 * way goes on with what it began with, whatever is deployed meanwhile.
 */
export class WorkflowMachine extends StateMachine {
  #version: CfnStateMachineVersion | undefined

  constructor(scope: Construct, id: string, props: WorkflowMachineProps) {
    const { file, machineName, settings, functionOf, children = {}, others = {} } = props
    const { logs, tracing, concurrency, memory } = settings
    const definition = readDefinition(file, { concurrency, memory })
    const functions = definition.tasks.map((task) => [names.substitution(task), functionOf(task)] as const)
    // Logs whose names begin so do not count against the size of the account's one policy for them.
    const logGroupName = `/aws/vendedlogs/states/${machineName}`
    super(scope, id, {
      stateMachineName: machineName,
      definitionBody: DefinitionBody.fromString(definition.text),
      definitionSubstitutions: Object.fromEntries([
        ...functions.map(([name, called]) => [name, called.currentVersion.functionArn]),
        ...Object.entries({ ...children, ...others }).map(([name, machine]) => [name, machine.versionArn]),
      ]),
      tracingEnabled: tracing,
      logs: {
        destination: new Log(scope, `${id}Log`, { logGroupName, days: logs.days }),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    })
    suppress(
      this,
      'SF1',
      'Its history holds every event for 90 days; the log keeps errors, without data, since inputs can be large and are in the history.',
    )
    if (!tracing) suppress(this, 'SF2', 'The settings switch tracing off.')
    suppressWildcards(this, ['*'], 'X-Ray and the delivery of logs know no resources.')
    for (const [, called] of functions) grantInvokeVersions(this, called)
    for (const child of Object.values(children)) grantRunAndWait(this, child)
    for (const other of Object.values(others)) other.grantStartExecution(this)
  }

  /**
   * What machines that start this one name. Another definition is another revision, and so another version takes this one's
   * place; those before are left, since executions that run name them. AWS keeps 1,000 of a machine.
   */
  get versionArn(): string {
    if (!this.#version) {
      const { stateMachineArn, stateMachineRevisionId } = this
      this.#version = new CfnStateMachineVersion(this, 'Version', { stateMachineArn, stateMachineRevisionId })
      this.#version.applyRemovalPolicy(RemovalPolicy.RETAIN)
    }
    return this.#version.ref
  }
}

/**
 * Every version of the function, since a role has none: executions that began before a deployment have their rights from the
 * same role, and call the versions of before. Machines need no such care: IAM is asked for the machine, whatever the version
 * (Step Functions developer guide, "Authorization for versions and aliases").
 */
function grantInvokeVersions(machine: StateMachine, called: IFunction): void {
  const versions = `${called.functionArn}:*`
  machine.addToRolePolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [versions] }))
  suppressWildcards(machine, [versions], 'Executions that run call the versions they began with.')
}

/** What `startExecution.sync:2` needs: to start, see and stop the child, and the rule by which it learns of its end. */
function grantRunAndWait(parent: StateMachine, child: StateMachine): void {
  child.grantStartExecution(parent)
  const { principalStatement } = child.grantExecution(parent, 'states:DescribeExecution', 'states:StopExecution')
  const executions = principalStatement?.resources ?? []
  suppressWildcards(parent, executions, 'The names of its children’s executions are made while it runs.')
  const managedRule = 'StepFunctionsGetEventsForStepFunctionsExecutionRule'
  parent.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      resources: [Stack.of(parent).formatArn({ service: 'events', resource: 'rule', resourceName: managedRule })],
    }),
  )
}
