import type { ComponentProps, TextareaHTMLAttributes } from 'react';

export function Input(props: ComponentProps<'input'>) {
  return <input type="text" {...props} />;
}

export function TextArea(props: TextareaHTMLAttributes<HTMLTextAreaElement>) {
  return <textarea rows={3} {...props} />;
}
