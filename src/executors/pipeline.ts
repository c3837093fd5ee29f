// Runs other tools one after the other; results feed on. Each step is a call like any other: validated and audited.
import { fail } from '../errors.ts'
import { renderData } from '../templates/render.ts'
import { createMask } from '../text/mask-values.ts'
import type { Executor, Json, Outcome, PipelineSpec } from '../types.ts'
import { failedTemplate } from './invocation.ts'

export function createPipelineExecutor(): Executor<PipelineSpec> {
  return {
    type: 'pipeline',
    async execute({ spec, tool, args, timeoutMs, ending: { signal }, variable, callOther, onUpdate }) {
      const deadline = performance.now() + timeoutMs
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(Math.ceil(timeoutMs))])
      const secrets = new Set<string>()
      const env = (name: string) => {
        const value = variable(name)
        secrets.add(value)
        return value
      }
      const steps: Record<string, Json> = {}
      let last: Json = null
      try {
        for (const [index, step] of spec.steps.entries()) {
          onUpdate?.({ type: 'progress', progress: index, total: spec.steps.length, message: step.id })
          const left = deadline - performance.now()
          if (left <= 0) return noTimeLeft(step.id)
          const toolId = step.tool.includes('.') ? step.tool : `${tool.skill}.${step.tool}`
          const stepArgs = renderData(step.args, { args, env, steps })
          const result = await callOther({ toolId, args: stepArgs, timeoutMs: left, signal: inTime }, secrets)
          if (!result.ok) {
            if (inTime.aborted && !signal.aborted) return noTimeLeft(step.id)
            const { code, message, hints, nextAction } = result.error
            const mask = createMask(secrets)
            return fail('STEP_FAILED', mask.text(`Step ${step.id} (${step.tool}) failed: ${code}: ${message}`), {
              hints: hints.map(mask.text),
              nextAction: mask.text(nextAction),
            })
          }
          last = result.data
          steps[step.id] = { data: last }
        }
        const data = spec.result === undefined ? last : renderData(spec.result, { args, env, steps })
        return { ok: true, data: createMask(secrets).data(data) }
      } catch (error) {
        return failedTemplate(error)
      }
    },
  }
}

function noTimeLeft(step: string): Outcome {
  return fail('STEP_FAILED', `There was no time left for step ${step}.`, { nextAction: 'Give it more time.' })
}
