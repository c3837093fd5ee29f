export const RED = '#f00'

export function mix(a, b) {
  return `${a}${b}`
}

export class Palette {
  constructor(colours = []) {
    this.colours = colours
  }
}
