// Runs other tools one after the other; results feed on. Each step is a call like any other: validated and audited.
import { fail } from '../errors.ts'
import { renderData } from '../templates/render.ts'
import type { Executor, Json, PipelineSpec } from '../types.ts'
import { failedTemplate } from './invocation.ts'

export function createPipelineExecutor(): Executor<PipelineSpec> {
  return {
    type: 'pipeline',
    async execute({ spec, tool, args, timeoutMs, signal, variable, callOther, onUpdate }) {
      const deadline = performance.now() + timeoutMs
      const steps: Record<string, Json> = {}
      let last: Json = null
      try {
        for (const [index, step] of spec.steps.entries()) {
          onUpdate?.({ type: 'progress', progress: index, total: spec.steps.length, message: step.id })
          const left = deadline - performance.now()
          if (left <= 0)
            return fail('STEP_FAILED', `There was no time left for step ${step.id}.`, {
              nextAction: 'Give it more time.',
            })
          const result = await callOther({
            toolId: step.tool.includes('.') ? step.tool : `${tool.skill}.${step.tool}`,
            args: renderData(step.args, { args, env: variable, steps }),
            timeoutMs: left,
            signal,
          })
          if (!result.ok) {
            const { code, message, hints, nextAction } = result.error
            return fail('STEP_FAILED', `Step ${step.id} (${step.tool}) failed: ${code}: ${message}`, {
              hints,
              nextAction,
            })
          }
          last = result.data
          steps[step.id] = { data: last }
        }
        const data = spec.result === undefined ? last : renderData(spec.result, { args, env: variable, steps })
        return { ok: true, data }
      } catch (error) {
        return failedTemplate(error)
      }
    },
  }
}
