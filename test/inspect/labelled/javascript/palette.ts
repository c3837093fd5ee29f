const MODES = { light: 0.9, dark: 0.2, grey: 0.5 } as const

const mode = process.argv[2] ?? 'light'
if (!Object.keys(MODES).includes(mode)) {
  console.error(`mode must be one of ${Object.keys(MODES).join(', ')}`)
  process.exit(1)
}
const steps = Number.parseInt(process.argv[3] ?? '5', 10)
for (let i = 0; i < steps; i++) console.log(MODES[mode as keyof typeof MODES] * (i / steps))
