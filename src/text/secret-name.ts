const SECRET_NAME =
  /pass(?:word|wd|phrase)|secret|token|(?:api|access|private)[-_]?key|credential|authorization|(?:^|[-_.])(?:pass|pwd|auth|cookie)(?:$|[-_.])/i

/** Whether something of this name is in all likelihood a secret: an argument, a flag, a header, a variable. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}
