import type { Language, Requirement } from '../types.ts'

/** What to type to get what is missing. */
export function installHint({ kind, name, install = name }: Omit<Requirement, 'line'>, language: Language): string {
  if (kind === 'program') return `Install ${install}, or put it on the PATH.`
  switch (language) {
    case 'python':
      return `Run: python3 -m pip install ${install}`
    case 'javascript':
    case 'typescript':
      return `Run in the skill's folder: npm install ${install}`
    case 'ruby':
      return `Run: gem install ${install}`
    case 'perl':
      return `Run: cpan ${install}`
    default:
      return `Install ${install}.`
  }
}
