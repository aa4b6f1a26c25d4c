import { Stack } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { DefinitionBody, LogLevel, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { names } from '../workflow/names.ts'
import type { TaskName } from '../workflow/tasks/tasks.ts'
import { readDefinition } from './definition.ts'
import { accept, acceptPatterns } from './findings.ts'
import { Log } from './log.ts'
import type { Settings } from './settings.ts'
import type { ShowrunnerFunction } from './showrunner-function.ts'

export interface WorkflowMachineProps {
  /** File under `statemachines/`, without its ending. */
  readonly file: string
  readonly machineName: string
  readonly settings: Pick<Settings, 'logs' | 'tracing' | 'concurrency'>
  readonly functionOf: (task: TaskName) => ShowrunnerFunction
  /** Machines this one runs as children and waits for, by their substitution. */
  readonly children?: Readonly<Record<string, StateMachine>>
  /** Machines this one starts and does not wait for, by their substitution. */
  readonly others?: Readonly<Record<string, StateMachine>>
}

/** A state machine from its ASL file: every task's published version substituted, and the right to run just those. */
export class WorkflowMachine extends StateMachine {
  constructor(scope: Construct, id: string, props: WorkflowMachineProps) {
    const { file, machineName, settings, functionOf, children = {}, others = {} } = props
    const { logs, tracing, concurrency } = settings
    const definition = readDefinition(file, { concurrency })
    const versions = definition.tasks.map(
      (task) => [names.substitution(task), functionOf(task).currentVersion] as const,
    )
    // Logs whose names begin so do not count against the size of the account's one policy for them.
    const logGroupName = `/aws/vendedlogs/states/${machineName}`
    super(scope, id, {
      stateMachineName: machineName,
      definitionBody: DefinitionBody.fromString(definition.text),
      definitionSubstitutions: Object.fromEntries([
        ...versions.map(([name, version]) => [name, version.functionArn]),
        ...Object.entries({ ...children, ...others }).map(([name, machine]) => [name, machine.stateMachineArn]),
      ]),
      tracingEnabled: tracing,
      logs: {
        destination: new Log(scope, `${id}Log`, { logGroupName, days: logs.days }),
        level: LogLevel.ERROR,
        includeExecutionData: false,
      },
    })
    accept(
      this,
      'SF1',
      'Its history holds every event for 90 days; the log keeps errors, without data, since inputs can be large and are in the history.',
    )
    acceptPatterns(this, ['*'], 'X-Ray and the delivery of logs know no resources.')
    for (const [, version] of versions) version.grantInvoke(this)
    for (const child of Object.values(children)) grantRunAndWait(this, child)
    for (const other of Object.values(others)) other.grantStartExecution(this)
  }
}

/** What `startExecution.sync:2` needs: to start, see and stop the child, and the rule by which it learns of its end. */
function grantRunAndWait(parent: StateMachine, child: StateMachine): void {
  child.grantStartExecution(parent)
  const { principalStatement } = child.grantExecution(parent, 'states:DescribeExecution', 'states:StopExecution')
  const executions = principalStatement?.resources ?? []
  acceptPatterns(parent, executions, 'The names of its children’s executions are made while it runs.')
  const managedRule = 'StepFunctionsGetEventsForStepFunctionsExecutionRule'
  parent.addToRolePolicy(
    new PolicyStatement({
      actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      resources: [Stack.of(parent).formatArn({ service: 'events', resource: 'rule', resourceName: managedRule })],
    }),
  )
}
