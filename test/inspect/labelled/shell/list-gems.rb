#!/usr/bin/env ruby
# Run a command of the gem tool.
class Tool < Thor
  desc 'list', 'list all'
  def list; end
end
Tool.start(ARGV)
