#!/usr/bin/env perl
# Add up a column of a table.
use strict;
use warnings;

my $file = shift @ARGV or die "Usage: sum-columns.pl FILE [COLUMN]\n";
my $column = shift(@ARGV) // 1;
open my $in, '<', $file or die $!;
my $sum = 0;
while (my $line = readline $in) {
    my @cells = split /,/, $line;
    $sum += $cells[$column - 1];
}
print "$sum\n";
